"""The method as the paper prints it, beside which ours is measured."""
