"""Every number by which the tracker and its planner were tuned, in one record.

They were chosen with six postures of skeletons C and G in view and checked on others (docs/express-tracking.md).
Kernels take them as compile-time constants, so that a record in their place costs nothing.
"""

from __future__ import annotations

from typing import NamedTuple

from animato.express.facing import FACED


class TrackingConstants(NamedTuple):
    """What the tracker goes by; a *unit* of work is about a microsecond.

    Attributes:
        nearly_faced_rad: Angle left to turn below which a step has faced its target; the local solver ends well below.
        step_gain: Gain in combined error at which the local solver stops: less cannot be seen.
        newest_s: In which the running mean of how the target turns forgets a jerk of it.
        jump_rad_s: Above it a target does not turn but jump, which says nothing about how it goes on.
        jump_rad: Least angle of a jump.
        judged_s: After which times predictions are judged.
        judging_s: Over which the judgement is a running mean,
        judging_share: and this share of the time that the prediction was for on top of it.
        trusted_rad: Mean error of a prediction that is still believed in.
        unproved: Times the longest time for which predictions proved right, for which they are believed in while
            nothing longer could be judged.
        first_trust_s: For which a prediction is believed in whatever was before: a target has a mass, too.
        beyond_s: For which what is faced is thought to stay, after that.
        shortest_s: Of a band, so that a change of branch has room in it.
        still_rad_s: Below which what is faced stands.
        soon_still_s: Of standing, after which it is to be faced exactly.
        rest_s: Of facing what stands, after which nothing moves any more.
        rest_move: Largest move in a frame of joints that rest [rad].

        stiffness: Pull of a knot to the middle of its neighbours, small beside the posture's own.
        led: Pull of the chain to the band: where it leads matters more than the posture of one frame.
        knot_steps: Of the local solver for one knot; the band is relaxed again soon.
        frame_steps: Of the local solver for the frame that is performed.
        stretch: Times the farthest move that two knots may be apart for a while, before looking away is allowed.
        haste: Share of its fastest move that a knot takes at least where the band is stretched.
        path_pull: Pull of knots to a path that is being laid, so that they stay on it.

        seek_steps: Of the local solver from a random configuration, far from any solution.
        follow_steps: Of the local solver when the targets ahead are followed in strides.
        follow_stride: Knots that following on takes at once; its errors need no more.
        same_kind: Product of own turns above which two configurations that face the same are of one kind (it is +-1).
        unwound_worth: Error that it is worth at the start not to be wound up by half a turn.

        tree_size: Configurations that a tree may have, a bound on memory.
        tree_arrived_rad: Distance at which two trees meet.
        tree_extension: Steps towards one random configuration.
        tree_pull: To the straight line, where the posture pulls aside.
        tree_steps: Of the local solver for a step of a tree.
        tree_slack: Times its step that facing again may carry a joint.
        tree_progress: Share of a step by which it must come nearer, or it is stuck.
        detour_speed: Of joints on a detour [rad/s].
        step_price: What a step of a path costs beside the error that it has, so that paths become short.
        cut_rows: Configurations of a short cut at the most.

        forks_before: Knots before trouble at which changes may begin, tried in turn.
        latest_fork: Knots from the end at which they may begin at the latest, so that they can still pay.
        soon: Knots from now at which a change may begin at the earliest: planning takes that long.
        at_once: The same where the error is large already.
        seek_starts: Configurations from which other branches are sought.
        seek_at_once: Of them that are handed to a kernel together.
        near_rad: Spread of the half of them that are not far [rad].
        most_branches: That are remembered.
        apart_rad: By which branches differ.
        rival: Times the error ahead of the best branch known, above which others do not matter.
        ways: Paths to a branch of which the cheapest is tried.
        cheap: Sum of errors of a path that need not be cheaper.
        growths: Times that trees may grow.
        cuts: Tries to shorten a path.
        long_cuts: The first of them, which go far and straight.
        short_cut: Share of the path that the others take at most.
        longest_path: Configurations of a detour, a bound on memory.
        some: Steps or knots that are handed to a kernel together.
        sweeps: Relaxations of a trial before it is judged.
        around: Knots before and after a change that make room for it.
        joinable: Times the farthest move that a trial may be away from where the chain is.
        gain: Share of the error that a change must save.
        least_gain: Amount of the same where all of the band is believed in.
        doubted_gain: Amount of it on top of that where nothing is.
        doubt_s: Time of trust in which that becomes e times less.
        facing_worth: Error that it is worth to face.
        lost_rad: Angle that a knot may have left before it counts as not facing.
        leap_knots: Within which facing is lost before that is urgent.
        leap_ahead_s: For which an error is thought to last when a leap is weighed.
        leap_s: That a leap takes beside the way at top speed.
        leap_price: Error that a leap is thought to have on its way.
        leap_gain: Error that it must save.
        leap_first: Random configurations from which other branches are looked for in the frame in which facing is lost.
        leap_starts: The same in each frame after it.
        leap_compared: Branches of which the error ahead is compared in that frame; later it is the best one.
        leap_every: Frames from one look at them to the next.
        leap_search: Frames from one search over all branches to the next.
        content: Error ahead below which nothing better is looked for.

        relaxed_knots: Of the band in one frame.
        anticipated: Frames from one look for places where facing is lost and found again to the next.
        fresh_knots: The same while the band is made anew.
        surprise_rad: By which the last target may change from one frame to the next before that is done.
        slice_units: Of planning in one frame.
        urgent_units: The same while facing is lost or will be soon.
        seek_units: For one configuration that is sought.
        ahead_units: For one branch that is followed to the end.
        grow_units: For one step of a tree.
        cut_units: For one try to shorten.
        relax_units: For one knot that is relaxed.
        lay_units: For one knot that is laid.

        calm_speed: Of joints as long as that faces: a posture that changes is no reason to hurry [rad/s or m/s].
        calm_acceleration: The same, which a motion filter can follow without looking away [rad/s^2 or m/s^2].
        able_speed: Share of the speed that joints can have, so that the motion filter does not fall behind.
        able_acceleration: The same of their acceleration: the filter has a jerk to hold as well.
        first_starts: Configurations from which the first target is faced.
        planned_speed: Share of the top speed that is planned with, so that the chain can catch up.
        fewest_knots: Of a band; one of no more never changes branch.
    """

    nearly_faced_rad: float = 1e3 * FACED
    step_gain: float = 1e-9
    newest_s: float = 0.2
    jump_rad_s: float = 8.0
    jump_rad: float = 0.15
    judged_s: tuple[float, ...] = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
    judging_s: float = 0.5
    judging_share: float = 0.25
    trusted_rad: float = 0.12
    unproved: float = 2.0
    first_trust_s: float = 0.25
    beyond_s: float = 1.0
    shortest_s: float = 3.0
    still_rad_s: float = 1e-3
    soon_still_s: float = 0.3
    rest_s: float = 1.5
    rest_move: float = 1e-4

    stiffness: float = 0.02
    led: float = 5.0
    knot_steps: int = 4
    frame_steps: int = 6
    stretch: float = 1.5
    haste: float = 0.9
    path_pull: float = 5.0

    seek_steps: int = 25
    follow_steps: int = 6
    follow_stride: int = 4
    same_kind: float = 0.9
    unwound_worth: float = 2e-3

    tree_size: int = 1500
    tree_arrived_rad: float = 0.05
    tree_extension: int = 10
    tree_pull: float = 5.0
    tree_steps: int = 8
    tree_slack: float = 2.0
    tree_progress: float = 0.1
    detour_speed: float = 1.8
    step_price: float = 1e-3
    cut_rows: int = 16

    forks_before: tuple[int, ...] = (15, 0, 30)
    latest_fork: int = 35
    soon: int = 8
    at_once: int = 4
    seek_starts: int = 64
    seek_at_once: int = 2
    near_rad: float = 0.5
    most_branches: int = 12
    apart_rad: float = 0.3
    rival: float = 1.3
    ways: int = 1
    cheap: float = 0.1
    growths: int = 80
    cuts: int = 90
    long_cuts: int = 20
    short_cut: float = 0.45
    longest_path: int = 200
    some: int = 5
    sweeps: int = 8
    around: int = 15
    joinable: float = 1.5
    gain: float = 0.05
    least_gain: float = 1e-4
    doubted_gain: float = 0.02
    doubt_s: float = 2.0
    facing_worth: float = 0.05
    lost_rad: float = 0.03
    leap_knots: int = 4
    leap_ahead_s: float = 0.7
    leap_s: float = 0.1
    leap_price: float = 0.2
    leap_gain: float = 0.02
    leap_first: int = 6
    leap_starts: int = 2
    leap_compared: int = 3
    leap_every: int = 3
    leap_search: int = 12
    content: float = 5e-4

    relaxed_knots: int = 6
    anticipated: int = 3
    fresh_knots: int = 20
    surprise_rad: float = 0.4
    slice_units: int = 150
    urgent_units: int = 250
    seek_units: int = 25
    ahead_units: int = 150
    grow_units: int = 13
    cut_units: int = 28
    relax_units: int = 10
    lay_units: int = 10

    calm_speed: float = 2.0
    calm_acceleration: float = 8.0
    able_speed: float = 0.7
    able_acceleration: float = 0.3
    first_starts: int = 192
    planned_speed: float = 0.97
    fewest_knots: int = 4


TRACKING = TrackingConstants()
"""The values in use."""
