# SPDX-License-Identifier: GPL-3.0-or-later
"""The buttons. Each starts a job and is done at once; a timer drives the job."""

import tempfile
from pathlib import Path

import bpy
from bpy.app.handlers import persistent

from . import heat, jobs, program_run
from .answers import apply_answer, clear_marks, protected
from .armature import build_armature, description_of
from .errors import BridgeError
from .preferences import program
from .sampling import frames_of, sample
from .shapes import build_shapes


def import_steps(character, base, collection):
    """Reads a character; steps of a job.

    Args:
        character: Name or file.
        base: "auto", "ground" or "float".
        collection: Where it goes.
    """
    found = program()
    with tempfile.TemporaryDirectory(prefix="animato_") as folder:
        out = Path(folder) / "character.json"
        told = yield from program_run.run(found, ["describe", character, "--base", base], folder, out)
    told["base"] = base
    rig = build_armature(told, collection)
    _rest(rig, told)
    yield "armature"
    yield from heat.make_warm(rig, told)
    yield from build_shapes(told, rig, collection)
    jobs.state.said = (f"{told['character']}: {len(told['bones'])} bones.", *told["notes"])
    return rig


def _rest(rig, told):
    """Puts a floating root where it rests; its channels are at the world's origin while they are zero."""
    root = next((bone for bone in told["bones"] if bone["kind"] == "root"), None)
    if root is None or not told["rest"]:
        return
    numbers = [told["rest"][channel["coordinate"]] for channel in root["channels"]]
    posed = rig.pose.bones[root["bone"]]
    posed.location, posed.rotation_quaternion = numbers[:3], numbers[3:]


def ask_steps(verb, rig, scene, wishes):
    """Asks about the action of an armature; steps of a job.

    Args:
        verb: "check" or "fix".
        rig: The armature.
        scene: Its scene.
        wishes: What the panel says; read once, at the start.
    """
    found = program()
    told = description_of(rig)
    action = rig.animation_data.action if rig.animation_data else None
    name = action.name if action is not None else scene.name
    first, last = frames_of(rig, scene, wishes["frames"])
    sampled = yield from sample(rig, told, scene, first, last)
    with tempfile.TemporaryDirectory(prefix="animato_") as folder:
        clip = Path(folder) / f"{_file_name(name)}.csv"  # animato calls the motion by the name of its file
        sampled.save(clip, told["clip"]["header"], name)
        arguments = [verb, told["source"], clip, "--rate-hz", repr(sampled.rate_hz), "--base", told["base"]]
        if verb == "fix":
            arguments += ["--time", repr(wishes["time"])]
            kept = protected(scene, first, sampled.rate_hz) if wishes["keep_marked"] else []
            kept += wishes["kept_joints"]
            arguments += ["--protect", *kept] if kept else []
        if wishes["page"]:
            arguments += ["--page", wishes["page"]]
        answer = yield from program_run.run(found, arguments, folder, Path(folder) / "answer.json")
    yield from apply_answer(rig, told, scene, sampled, answer, name)
    jobs.state.said = (answer["sentence"], *answer["more"])
    return answer


def _file_name(name) -> str:
    """The name of an action as any file system takes it."""
    return (
        "".join(letter if letter.isalnum() or letter in " ._" else "_" for letter in name)[:60].strip(" ._") or "action"
    )


def export_steps(rig, scene, frames, path):
    """Writes the action as a clip; steps of a job."""
    told = description_of(rig)
    sampled = yield from sample(rig, told, scene, *frames_of(rig, scene, frames))
    sampled.save(path, told["clip"]["header"], Path(path).stem)
    jobs.state.said = (f"Written: {path}, {len(sampled.values)} frames.",)


class JobOperator:
    """What all buttons that start a job have. They are done at once; `animato.attend` stays with the job."""

    bl_options = set()  # noqa: RUF012  # so Blender wants it; a job is not to be started again by changing a field

    def begin(self, title, steps, context):
        """Starts the job and hands it to whoever drives it: with a window an operator that can report, else a timer."""
        try:
            jobs.start(title, steps)
        except BridgeError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        if context.window is None or bpy.app.background:
            jobs.drive_by_timer()
        else:
            bpy.ops.animato.attend("INVOKE_DEFAULT")
        return {"FINISHED"}


class ANIMATO_OT_attend(bpy.types.Operator):  # noqa: N801  # Blender's own way of names
    """Stay with what animato is doing, and report how it ends."""

    bl_idname = "animato.attend"
    bl_label = "Attend to animato"
    bl_options = {"INTERNAL"}  # noqa: RUF012

    def invoke(self, context, event):
        """Begins to listen to a timer."""
        self.job = jobs.state.job
        if self.job is None:
            return {"CANCELLED"}
        self.timer = context.window_manager.event_timer_add(jobs.PERIOD_S, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        """Called by Blender at every event; works at those of the timer."""
        if event.type == "ESC" and event.value == "PRESS":
            self.job.cancel()
        elif event.type != "TIMER":
            return {"PASS_THROUGH"}
        _redraw(context)
        if self.job.tick():
            context.workspace.status_text_set(f"animato, {self.job.title}: {self.job.status} (Esc cancels)")
            return {"PASS_THROUGH"}
        context.window_manager.event_timer_remove(self.timer)
        context.workspace.status_text_set(None)
        kind, sentence = report_of(self.job)
        self.report({kind}, sentence)
        if kind != "ERROR" and not self.job.cancelled:
            bpy.ops.ed.undo_push(message=f"animato: {self.job.title}")
        return {"FINISHED"}


def report_of(job):
    """How a job ended, for a report of Blender's: its kind and animato's own sentence."""
    if job.cancelled:
        return "INFO", f"{job.title}: cancelled"
    if job.error:
        return "ERROR", job.error
    fits = not isinstance(job.result, dict) or job.result["fits"]
    return "INFO" if fits else "WARNING", " ".join(jobs.state.said[:1])


def _redraw(context):
    for area in context.screen.areas if context.screen else ():
        area.tag_redraw()


class ANIMATO_OT_import_character(JobOperator, bpy.types.Operator):  # noqa: N801
    """Read a robot character as an armature with limits."""

    bl_idname = "animato.import_character"
    bl_label = "Import Character"

    character: bpy.props.StringProperty(name="Name", description="A character that comes with animato, such as lamp")
    filepath: bpy.props.StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob: bpy.props.StringProperty(default="*.yaml;*.yml;*.urdf;*.xml;*.mjcf;*.usda;*.usd", options={"HIDDEN"})
    base: bpy.props.EnumProperty(
        name="Base",
        items=[
            ("auto", "As it says", "Held or floating, as the file says"),
            ("ground", "Held", "Held in the world"),
            ("float", "Floats", "Walks about"),
        ],
    )

    def invoke(self, context, event):
        """Asks for a file, unless a name is given."""
        if self.character:
            return self.execute(context)
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        """Starts."""
        which = self.character or bpy.path.abspath(self.filepath)
        if not which:
            self.report({"ERROR"}, "Give the name of a character that comes with animato, or a file.")
            return {"CANCELLED"}
        steps = import_steps(which, self.base, context.collection)
        return self.begin("import", steps, context)


class _Asking(JobOperator):
    """Check and Fix."""

    @classmethod
    def poll(cls, context):
        return description_of(context.object) is not None

    def execute(self, context):
        """Starts."""
        wanted = context.scene.animato
        rig = context.object
        wishes = {
            "frames": wanted.frames,
            "time": wanted.time_share,
            "keep_marked": wanted.keep_marked,
            "kept_joints": selected_joints(rig) if wanted.keep_selected else [],
            "page": bpy.path.abspath(wanted.page),
        }
        return self.begin(self.verb, ask_steps(self.verb, rig, context.scene, wishes), context)


class ANIMATO_OT_check(_Asking, bpy.types.Operator):  # noqa: N801
    """Say whether the robot can do this action; heat and markers show where it is too much."""

    bl_idname = "animato.check"
    bl_label = "Check"
    verb = "check"


class ANIMATO_OT_fix(_Asking, bpy.types.Operator):  # noqa: N801
    """Change the action as little as can be seen, so that the robot can do it; yours is kept."""

    bl_idname = "animato.fix"
    bl_label = "Fix"
    verb = "fix"


class ANIMATO_OT_export_clip(JobOperator, bpy.types.Operator):  # noqa: N801
    """Write the action as a clip that animato plays and exports."""

    bl_idname = "animato.export_clip"
    bl_label = "Export Clip"

    filepath: bpy.props.StringProperty(subtype="FILE_PATH", default="clip.csv")
    filter_glob: bpy.props.StringProperty(default="*.csv", options={"HIDDEN"})

    @classmethod
    def poll(cls, context):
        """Needs a robot."""
        return description_of(context.object) is not None

    def invoke(self, context, event):
        """Asks for the file."""
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        """Starts."""
        path = str(Path(bpy.path.abspath(self.filepath)).with_suffix(".csv"))
        steps = export_steps(context.object, context.scene, context.scene.animato.frames, path)
        return self.begin("export", steps, context)


class ANIMATO_OT_cancel(bpy.types.Operator):  # noqa: N801
    """Stop what animato is doing."""

    bl_idname = "animato.cancel"
    bl_label = "Cancel"

    def execute(self, context):
        """Stops it."""
        jobs.cancel()
        return {"FINISHED"}


class ANIMATO_OT_clear_markers(bpy.types.Operator):  # noqa: N801
    """Take animato's markers off the timeline; yours stay."""

    bl_idname = "animato.clear_markers"
    bl_label = "Clear Markers"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    def execute(self, context):
        """Takes them off."""
        clear_marks(context.scene)
        return {"FINISHED"}


def selected_joints(rig):
    """Names of the joints whose bones are selected; Blender 5 keeps that with the pose."""
    told = description_of(rig)
    names = []
    for bone in told["bones"]:
        posed = rig.pose.bones[bone["bone"]]
        chosen = posed.select if hasattr(posed, "select") else posed.bone.select
        if chosen and bone["joint"] is not None and bone["role"] == "driven" and bone["joint"] not in names:
            names.append(bone["joint"])
    return names


@persistent
def _another_file(*_):
    """The scene that a job works on is about to go."""
    jobs.cancel()


_CLASSES = (
    ANIMATO_OT_attend,
    ANIMATO_OT_import_character,
    ANIMATO_OT_check,
    ANIMATO_OT_fix,
    ANIMATO_OT_export_clip,
    ANIMATO_OT_cancel,
    ANIMATO_OT_clear_markers,
)


def register():
    """Switches them on."""
    for one in _CLASSES:
        bpy.utils.register_class(one)
    bpy.app.handlers.load_pre.append(_another_file)


def unregister():
    """Switches them off; what is running is stopped."""
    jobs.cancel()
    if _another_file in bpy.app.handlers.load_pre:
        bpy.app.handlers.load_pre.remove(_another_file)
    for one in reversed(_CLASSES):
        bpy.utils.unregister_class(one)
