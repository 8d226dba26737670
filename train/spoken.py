# SPDX-License-Identifier: BSD-2-Clause
"""Contractions: what people say, where texts of books and dictionaries write words out."""
import random
import re

# What people say for what the sources, old and formal, write out.
CONTRACTIONS = [(re.compile(pattern, re.I), short) for pattern, short in (
    (r'\b(I|you|we|they|who) have\b', r"\1've"), (r'\b(I|you|he|she|it|we|they|that|who) will\b', r"\1'll"),
    (r'\b(I|you|he|she|we|they|who) (?:would|had)\b', r"\1'd"), (r'\b(I) am\b', r"\1'm"),
    (r'\b(you|we|they) are\b', r"\1're"), (r'\b(he|she|it|that|what|there|who|here|where) is\b', r"\1's"),
    (r'\b(w)ill not\b', r"\1on't"), (r'\b(ca)n ?not\b', r"\1n't"), (r'\b(let) us\b', r"\1's"),
    (r'\b(do|does|did|is|are|was|were|has|have|had|could|would|should|must) not\b', r"\1n't"))]
CONTRACTED = .6
SPOKEN = ("I've I'm I'll I'd you're you've you'll we're we've we'll they're they've they'll it's that's he's she's "
          "there's what's let's don't can't won't didn't doesn't isn't wasn't aren't weren't couldn't wouldn't shouldn't "
          "hasn't haven't hadn't who's here's You're You've We're We've They're They've It's That's He's She's There's "
          "What's Let's Don't Can't Didn't Isn't").split()


def contract(text):
    """A text with most of what can be contracted, always the same."""
    rng = random.Random(1)
    for pattern, short in CONTRACTIONS:
        text = pattern.sub(lambda m: m.expand(short) if rng.random() < CONTRACTED else m.group(), text)
    return text
