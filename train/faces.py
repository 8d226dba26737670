#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Typefaces that Debian does not package: from the @fontsource packages of npm, one file a face for fonts.py.

    faces.py --names                  the names of the packages
    faces.py PACKAGES FOLDER          PACKAGES/@fontsource/NAME/files/*.woff become FOLDER/NAME-{Regular,Italic,Bold}.ttf

All of them are under the SIL Open Font License 1.1. A package has each face in parts; those with Latin letters
are made one font without the tables of layout, which the generator does not use.
"""
import os
import sys

from fontTools import merge, ttLib

# Book types of the 18th to the 20th century first: Didones, Scotch, Caslon, Clarendon; then faces of offices, screens and tills.
NAMES = '''bodoni-moda playfair-display playfair prata rufina abril-fatface gupter arapey vidaloka oranienbaum libre-bodoni
libre-caslon-text libre-caslon-condensed im-fell-english im-fell-dw-pica im-fell-great-primer bentham besley libre-baskerville
baskervville ovo unna lustria poly cardo domine gelasio crimson-text crimson-pro source-serif-4 merriweather lora spectral
rasa pt-serif noticia-text neuton cormorant-garamond gilda-display mate trirong suranna kameron trocchi zilla-slab
libre-franklin news-cycle archivo-narrow oswald fjalla-one league-gothic barlow barlow-condensed pt-sans-narrow work-sans
public-sans ibm-plex-sans-condensed ibm-plex-serif saira-condensed roboto-condensed montserrat poppins raleway nunito
source-sans-3 dm-sans rubik mulish karla josefin-sans josefin-slab titillium-web exo-2 fira-sans ubuntu special-elite cutive-mono
cutive vt323 share-tech-mono space-mono overpass-mono nova-mono azeret-mono ibm-plex-mono dm-mono'''.split()
KINDS = {'Regular': '400-normal', 'Italic': '400-italic', 'Bold': '700-normal'}
LAYOUT = ('GSUB', 'GPOS', 'GDEF', 'STAT', 'DSIG', 'fpgm', 'prep', 'cvt ', 'cvar', 'hdmx', 'VDMX', 'LTSH', 'gasp')


def part(path):
    """One file of a package as a font that merges."""
    font = ttLib.TTFont(path)
    font.flavor = None
    for tag in LAYOUT:
        if tag in font:
            del font[tag]
    if 'glyf' in font:
        for name in font.getGlyphOrder():
            font['glyf'][name].removeHinting()
    return font


def join(paths, out, work):
    """The parts of a face as one file."""
    names = []
    for i, path in enumerate(paths):
        names.append(os.path.join(work, f'.part-{i}.ttf'))
        part(path).save(names[-1])
    merge.Merger().merge(names).save(out)
    for name in names:
        os.remove(name)


def main():
    if sys.argv[1:] == ['--names']:
        print(*(f'@fontsource/{name}' for name in NAMES))
        return
    packages, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for name in NAMES:
        for kind, suffix in KINDS.items():
            files = os.path.join(packages, '@fontsource', name, 'files')
            paths = [os.path.join(files, f'{name}-{subset}-{suffix}.woff') for subset in ('latin', 'latin-ext', 'vietnamese')]
            paths = [path for path in paths if os.path.exists(path)]
            out = os.path.join(folder, f'{name}-{kind}.ttf')
            if paths and not os.path.exists(out):
                join(paths, out, folder)


if __name__ == '__main__':
    main()
