"""Opens a USD file in a process of its own, for `rehearsal`: run as a script, it needs nothing of animato.

Arguments: the file, the bytes of memory that may be used beyond what the interpreter needs, the seconds of processor
time, and the most prims to look at. It reads what the reader will read and ends with 0, or with 3 and what OpenUSD says
about the file, behind a null character. A file that breaks OpenUSD breaks this process.
"""

import sys

REFUSED = 3
_SMALL_ARRAYS = ("xformOpOrder", "primvars:displayColor", "primvars:displayOpacity")


def _bound(memory: int, seconds: int) -> None:
    """Limits this process to so many bytes more than it has, and to so many seconds."""
    try:
        import resource
    except ImportError:  # Windows has no such limits; the one who waits still has a clock
        return
    try:
        with open("/proc/self/statm", encoding="ascii") as said:  # noqa: PTH123
            used = int(said.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + memory, used + memory))
    except (OSError, ValueError):  # no /proc, as on macOS
        pass
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """Opens the file and looks at everything that a robot is made of."""
    path, memory, seconds, most = sys.argv[1], *map(int, sys.argv[2:5])
    from pxr import Tf, Usd, UsdGeom, UsdPhysics, UsdUtils

    UsdPhysics.GetStageKilogramsPerUnit  # noqa: B018 - its schemas are loaded before memory is bounded
    quiet = UsdUtils.CoalescingDiagnosticDelegate()
    _bound(memory, seconds)
    try:
        stage = Usd.Stage.Open(path)
        cache = UsdGeom.XformCache()
        everything = Usd.PrimRange(stage.GetPseudoRoot(), Usd.TraverseInstanceProxies()) if stage else ()
        for number, prim in enumerate(everything):
            if number > most:
                break
            prim.GetPrimTypeInfo().GetAppliedAPISchemas()
            cache.GetLocalToWorldTransform(prim)
            for attribute in prim.GetAuthoredAttributes():
                if not attribute.GetTypeName().isArray or attribute.GetName() in _SMALL_ARRAYS:
                    attribute.Get()
            for relation in prim.GetAuthoredRelationships():
                relation.GetTargets()
    except MemoryError:
        raise
    except (Tf.ErrorException, RuntimeError, ValueError, TypeError) as error:
        sys.stderr.write(f"\0{error}")  # the one who waits explains it
        sys.exit(REFUSED)
    finally:
        quiet.TakeUncoalescedDiagnostics()


if __name__ == "__main__":
    main()
