"""What can be asked of a design; light, because the command line is made from it."""

from animato.design.options.options import DesignWeights, Hessian, Initial, Method, Optimize, Options

__all__ = ["DesignWeights", "Hessian", "Initial", "Method", "Optimize", "Options"]
