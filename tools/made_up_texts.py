"""Write the made-up texts of the examples: `python -m tools.made_up_texts [--to examples/data]`.

Nobody wrote these texts: they are put together from the sentences below, with a fixed seed, and stand in for
support tickets, answers of a survey in two languages, and news of half a year. So they may be used by
everybody. Groups in them are easier to find than in real texts.
"""

from __future__ import annotations

import argparse
import csv
import json
from datetime import date, timedelta
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parents[1] / "examples" / "data"
SEED = 7
N_TICKETS, N_ANSWERS, N_NEWS = 360, 300, 480

PRODUCTS = ("shop", "mobile app", "desktop app")
TICKETS = {
    "sign in": (
        "I cannot sign in since {day}.",
        "The password reset mail never arrives, not even in the spam folder.",
        "After the third attempt my account was locked.",
        "The code for two-factor sign in is rejected every time.",
        "It says that my user name or password is wrong, but I did not change them.",
        "Please unlock my account and send a new link to reset the password.",
        "The login page asks for the code again and again.",
    ),
    "invoice": (
        "The invoice of {day} shows the wrong amount.",
        "I was charged twice on my credit card.",
        "The VAT number of our company is missing on the bill.",
        "Please send a corrected invoice as a PDF to our accounting.",
        "The discount that you promised was not taken off the total.",
        "My bank shows two payments, but there is one order.",
        "When does the direct debit leave my account?",
    ),
    "delivery": (
        "The parcel should have come on {day} and is still not here.",
        "The tracking number does not work at the carrier.",
        "The box was open and one item was missing.",
        "The courier left the package with a neighbour whom I do not know.",
        "I ordered express shipping and it took nine days.",
        "The tracking page says delivered, but nothing arrived at my address.",
        "Can you send the delivery to another address?",
    ),
    "crash": (
        "The app crashes as soon as I open a large file.",
        "Since the update of {day} the program freezes on start.",
        "An error message appears for a second and the window closes.",
        "I have installed it again and restarted the phone, but the crash is still there.",
        "The log file ends with an exception and a memory error.",
        "Version 4.2 was stable, version 4.3 crashes every few minutes.",
        "The screen stays black after the splash image.",
    ),
    "refund": (
        "I want to return the item that I bought on {day}.",
        "How do I cancel my subscription before it renews?",
        "I have sent the product back and wait for the refund.",
        "The return label cannot be printed.",
        "You confirmed the cancellation, but the subscription was renewed anyway.",
        "Please refund the full price, the product does not fit the description.",
        "How many days do I have to return something?",
    ),
    "wish": (
        "It would be great to export the list as a spreadsheet.",
        "Please add a dark theme.",
        "A keyboard shortcut for search would save me a lot of time.",
        "Could you support dates in the format of our country?",
        "I would like to sort my projects by name.",
        "Is a calendar view planned?",
        "An option to share folders with colleagues would be useful.",
    ),
}
GREETINGS = ("Hello,", "Dear support team,", "Hi,", "Good morning,", "")
ENDINGS = ("Thank you for your help.", "Please answer soon.", "Kind regards", "Thanks in advance.", "")

ANSWERS = {
    "opening hours": (
        (
            "The library closes too early in the evening.",
            "Please open on Sundays, at least in the weeks of examinations.",
            "Longer opening hours would help people who work.",
            "On Saturday the doors close at noon, that is too early.",
            "I wish the hours were the same every day of the week.",
        ),
        (
            "Die Bibliothek schließt am Abend zu früh.",
            "Bitte öffnen Sie auch am Sonntag, wenigstens in den Wochen der Prüfungen.",
            "Längere Öffnungszeiten würden Berufstätigen helfen.",
            "Am Samstag schließen die Türen schon am Mittag, das ist zu früh.",
            "Die Öffnungszeiten sollten an jedem Tag der Woche gleich sein.",
        ),
    ),
    "noise": (
        (
            "It is too loud in the reading room.",
            "People talk on the phone next to me while I try to read.",
            "We need a silent area where nobody talks.",
            "The noise of the coffee machine reaches every table.",
            "Groups talk loudly, and nobody asks them to be quiet.",
        ),
        (
            "Im Lesesaal ist es viel zu laut.",
            "Neben mir wird telefoniert, während ich lesen will.",
            "Wir brauchen einen stillen Bereich, in dem niemand spricht.",
            "Der Lärm der Kaffeemaschine ist an jedem Tisch zu hören.",
            "Gruppen reden laut, und niemand bittet sie um Ruhe.",
        ),
    ),
    "books": (
        (
            "Many books on the list are always on loan.",
            "The novels are old, please buy newer books.",
            "I would like more copies of the textbooks for the first year.",
            "Journals that I need are missing from the collection.",
            "It takes weeks until a book that I reserved comes back.",
        ),
        (
            "Viele Bücher auf der Liste sind immer ausgeliehen.",
            "Die Romane sind alt, bitte kaufen Sie neuere Bücher.",
            "Ich wünsche mir mehr Exemplare der Lehrbücher für das erste Jahr.",
            "Zeitschriften, die ich brauche, fehlen im Bestand.",
            "Es dauert Wochen, bis ein vorgemerktes Buch zurückkommt.",
        ),
    ),
    "computers": (
        (
            "The wifi drops every few minutes.",
            "There are too few sockets for a laptop.",
            "The printer is out of order more often than not.",
            "The computers at the entrance are slow and old.",
            "I could not connect my laptop to the wireless network.",
        ),
        (
            "Das WLAN bricht alle paar Minuten ab.",
            "Es gibt zu wenige Steckdosen für einen Laptop.",
            "Der Drucker ist häufiger kaputt als in Betrieb.",
            "Die Computer am Eingang sind langsam und alt.",
            "Ich konnte meinen Laptop nicht mit dem WLAN verbinden.",
        ),
    ),
}

NEWS = {
    "football": (
        "The visitors won the match with a goal in the last minute.",
        "The coach praised the defence after the third win in a row.",
        "The striker will miss two matches of the league with a knee injury.",
        "The goalkeeper saved a penalty before half time.",
        "The club signed a young midfielder until the end of the season.",
        "With this defeat the team fell to the last place of the table.",
    ),
    "weather": (
        "A storm with heavy rain crossed the coast during the night.",
        "Rivers rose and streets in two villages were flooded.",
        "Forecasters expect frost and snow above a thousand metres.",
        "The heat wave ends with thunderstorms on {day}.",
        "Strong winds brought down trees and power lines.",
        "The warning of floods was lifted in the evening.",
    ),
    "rates": (
        "The central bank left interest rates unchanged.",
        "Inflation fell to the lowest level in two years.",
        "Shares rose after the bank hinted at lower rates.",
        "Analysts expect that borrowing becomes cheaper by autumn.",
        "The currency lost a little against its neighbours.",
        "Bond yields fell for the third week.",
    ),
    "council": (
        "The city council voted for a new tram line.",
        "Residents protested against the plan for the market square.",
        "The mayor presented the budget of the city for the coming year.",
        "Two parties want a vote on the rents in the centre.",
        "The council will decide on the bicycle lanes on {day}.",
        "The opposition asked the mayor for the cost of the project.",
    ),
    "festival": (
        "The film festival opened with a drama by a first-time director.",
        "The jury gave its main prize to a documentary about fishermen.",
        "Actors and directors walked over the red carpet in the rain.",
        "Tickets for the screenings were sold out within an hour.",
        "The director said that the film took seven years.",
        "Critics praised the leading actress of the opening film.",
    ),
}
# of these, nothing is written before the fourth month
LATE = {
    "strike": (
        "Train drivers went on strike from midnight.",
        "The union asks for shorter shifts and six percent more pay.",
        "Thousands of commuters waited at closed stations.",
        "The railway offered talks with the union on {day}.",
        "Only every third train ran during the strike.",
        "Drivers of the underground may join the strike next week.",
    )
}
FIRST_DAY, N_MONTHS, LATE_MONTH = date(2025, 1, 1), 6, 4
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


def compose_text(sentences: tuple[str, ...], number: int, rng: np.random.Generator) -> str:
    """Some sentences on one subject, in random order."""
    chosen = rng.choice(len(sentences), number, replace=False)
    return " ".join(sentences[k].format(day=rng.choice(DAYS)) for k in chosen)


def make_tickets(rng: np.random.Generator) -> list[dict[str, str]]:
    """Tickets with a date, a product and the subject that they were made from."""
    rows = []
    for number in range(N_TICKETS):
        subject = str(rng.choice(list(TICKETS)))
        words = [
            str(rng.choice(GREETINGS)),
            compose_text(TICKETS[subject], int(rng.integers(2, 4)), rng),
            str(rng.choice(ENDINGS)),
        ]
        sent = FIRST_DAY + timedelta(days=int(rng.integers(0, 90)))
        rows.append(
            {
                "id": f"T{number + 1:04d}",
                "date": sent.isoformat(),
                "product": str(rng.choice(PRODUCTS)),
                "topic": subject,
                "text": " ".join(filter(None, words)),
            }
        )
    return rows


def make_answers(rng: np.random.Generator) -> list[dict[str, str]]:
    """Answers to "What should the library improve?" in English and German."""
    rows = []
    for number in range(N_ANSWERS):
        theme, language = str(rng.choice(list(ANSWERS))), int(rng.integers(2))
        rows.append(
            {
                "id": f"A{number + 1:03d}",
                "language": ("en", "de")[language],
                "theme": theme,
                "text": compose_text(ANSWERS[theme][language], int(rng.integers(1, 4)), rng),
            }
        )
    return rows


def make_news(rng: np.random.Generator) -> list[dict[str, str]]:
    """News of six months in the order of their dates; one section begins in the fourth month."""
    rows = []
    for number in range(N_NEWS):
        month = 1 + number * N_MONTHS // N_NEWS
        sections = NEWS | LATE if month >= LATE_MONTH else NEWS
        section = str(rng.choice(list(sections)))
        day = date(FIRST_DAY.year, month, int(rng.integers(1, 29)))
        text = compose_text(sections[section], 3, rng)
        rows.append({"id": f"N{number + 1:03d}", "date": day.isoformat(), "section": section, "text": text})
    return sorted(rows, key=lambda row: row["date"])


def write_rows(path: Path, rows: list[dict[str, str]]) -> None:
    """Write rows as CSV or JSONL."""
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        if path.suffix == ".csv":
            writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        else:
            stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


MAKERS = {"tickets.csv": make_tickets, "survey.csv": make_answers, "news.jsonl": make_news}


def main() -> None:
    """Write all files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=FOLDER)
    folder = parser.parse_args().to
    for name, make in MAKERS.items():
        write_rows(folder / name, make(np.random.default_rng(SEED)))


if __name__ == "__main__":
    main()
