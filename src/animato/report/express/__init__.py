"""The page of express: the motion, how far it is off its targets, and what it asks of the joints."""

from animato.report.express.course_chart import Course, draw_courses
from animato.report.express.film import facing_film, film_of
from animato.report.express.page import save_page

__all__ = [
    "Course",
    "draw_courses",
    "facing_film",
    "film_of",
    "save_page",
]
