/* SPDX-License-Identifier: BSD-2-Clause */
/* Tuned numbers: what was chosen because it works, and could be a little more or less. Each stands
 * once, in the table of its folder (NAME_tuning.def), in one line:
 *
 *     PL_TUNE(NAME, value, "unit", "what it is")                     a real number
 *     PL_TUNE_FLOAT(NAME, value, "unit", "what it is")               one that meets floats
 *     PL_TUNE_COUNT(NAME, value, "unit", "what it is")               a whole number
 *     PL_TUNE(NAME, value, "unit", "what it is", "figure that told")
 *
 * The last text is the measurement or the reason by which a number was chosen; where it is missing,
 * none is on record.
 * Sources include the table and use the names, which are constants. In a build with -Dtunable=true
 * they are variables that PLATEN_TUNING sets, as "NAME=value,NAME=value"; bench/numbers uses it to
 * find out what each number does. Limits and constants of mathematics are no tuned numbers. */
#ifndef PL_BASE_TUNING_H
#define PL_BASE_TUNING_H

#ifdef PL_TUNABLE
#define PL_TUNE(name, value, unit, ...) extern double name;
#define PL_TUNE_FLOAT(name, value, unit, ...) extern float name;
#define PL_TUNE_COUNT(name, value, unit, ...) extern int name;
#else
#define PL_TUNE(name, value, unit, ...) static const double name = value;
#define PL_TUNE_FLOAT(name, value, unit, ...) static const float name = (float)value;
#define PL_TUNE_COUNT(name, value, unit, ...) enum { name = value };
#endif

#endif
