/** What an instance knows by itself of a phase. `undecided`: it could not tell whether the phase is to be tried. */
export type Attempt = 'tried' | 'undecided';
