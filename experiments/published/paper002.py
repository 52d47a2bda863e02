"""Tables 2 to 4 of the triplet paper (2009), for HT1 to HT7."""

from __future__ import annotations

ACCURACY = {
    "src": (0.4772, 0.4989, 0.3359, 0.4450, 0.6411, 0.4989, 0.1900),
    "nmf-triplet": (0.5250, 0.6529, 0.5391, 0.5601, 0.6386, 0.5780, 0.4333),
    "ssnmf": (0.8509, 0.8243, 0.6875, 0.8261, 0.8267, 0.8620, 0.6467),
}
"""Table 2, documents; `ssnmf` with links among 15 % of all pairs."""
CATEGORIES = {
    "src": (0.8, 0.8, 0.4, 0.4, 0.8, 0.8, 0.8),
    "nmf-triplet": (0.8, 0.6, 0.8, 0.8, 0.4, 0.6, 0.5),
    "ssnmf": (0.8, 0.8, 0.6, 0.8, 0.8, 0.8, 0.7),
}
"""Table 3, categories."""
IMPORTANCE = (
    (0.9996, 0.3884),
    (0.9999, 0.4331),
    (0.6837, 0.9949),
    (0.7607, 0.7233),
    (0.2479, 0.9998),
    (0.9999, 0.1751),
    (0.2390, 0.9990),
)
"""Table 4: what words and categories count, with links among 1 % of all pairs."""
REPRESENTATIVE = {
    "HT1": (
        "via coverag calcium purif modifi increm identif receiv explant delta",
        "market pct bank rate monei billion dollar mln dlr currenc",
    ),
    "HT2": (
        "studi activ patient suggest protein increas result effect treat infect",
        "januari pct februari reserv unemploy billion bank fell mln rose",
    ),
    "HT3": (
        "increas patient activ perform suggest studi effect examin result factor",
        "februari adjust fall sale depart retail fell season level month",
    ),
    "HT4": (
        "cell treatment determin site bone neutrophil single anim change differ",
        "consum statist index inflat rise compar base month increas rose",
    ),
    "HT5": (
        "pm star film hollywood set releas octob director time million",
        "rise price rose statist unemploy inflat compar consum januari increas",
    ),
    "HT6": (
        "sahak ohanus melkonian appression serazuma armenian serdar escap turkish sdpa",
        "disregard jai pyramid winner aaron baltimor dean leaf ban stanlei",
    ),
    "HT7": (
        "mac color al push bit sse lower size traffic screen",
        "licenc egreeneast clipper drink claim biker safeti cleam dod motorcycl",
        "vga univ pub servic educ bill robert school technic game",
    ),
}
"""Table 3, right half: the words of each group of categories, as read by a scanner, in no order."""
