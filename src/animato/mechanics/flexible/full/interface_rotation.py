"""Rotation of an interface from its linear map, with its first and second derivative in time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


def nearest_rotation(A: np.ndarray) -> np.ndarray:
    """PD(A): the rotation R that maximizes tr(R^T A); A [3, 3] has rank two at least (rank two on flat interfaces)."""
    left, _, right = np.linalg.svd(A)
    left[:, 2] *= np.sign(np.linalg.det(left) * np.linalg.det(right))
    return left @ right


def axis_of(X: np.ndarray) -> np.ndarray:
    """The vector of the skew matrix X - X^T."""
    return np.array([X[2, 1] - X[1, 2], X[0, 2] - X[2, 0], X[1, 0] - X[0, 1]])


def crossed(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The cross product of two vectors; numpy's own takes twenty times as long for one pair."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def skew(s: np.ndarray) -> np.ndarray:
    """The matrix of the cross product with s."""
    return np.array([[0.0, -s[2], s[1]], [s[2], 0.0, -s[0]], [-s[1], s[0], 0.0]])


@dataclass(frozen=True)
class InterfaceRotation:
    """How an interface turns relative to the part's frame.

    With P = R^T A symmetric and B = tr(P) 1 - P, the turning w in the interface's own axes follows from
    B w = axis(R^T A' - A'^T R); its derivative in time gives w'.

    Attributes:
        R: Rotation, shape [3, 3].
        B: Symmetric, positive definite, shape [3, 3].
        w: Angular velocity in the interface's axes [rad/s].
        w_dot: Its derivative in time [rad/s^2].
    """

    R: np.ndarray
    B: np.ndarray
    w: np.ndarray
    w_dot: np.ndarray


def interface_rotation(A: np.ndarray, A_dot: np.ndarray, A_dot_dot: np.ndarray) -> InterfaceRotation:
    """Rotation and turning of an interface from its linear map [3, 3] and its two derivatives in time."""
    R = nearest_rotation(A)
    P = R.T @ A
    B = np.trace(P) * np.eye(3) - P
    X = R.T @ A_dot
    w = np.linalg.solve(B, axis_of(X))
    P_dot = X - skew(w) @ P
    B_dot = np.trace(P_dot) * np.eye(3) - P_dot
    w_dot = np.linalg.solve(B, axis_of(R.T @ A_dot_dot - skew(w) @ X) - B_dot @ w)
    return InterfaceRotation(R, B, w, w_dot)
