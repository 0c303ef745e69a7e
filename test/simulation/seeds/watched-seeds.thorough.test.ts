import { playEveryOther } from './play-seeds.ts';

// Phaseout only watches in all of them.
playEveryOther(1, 50, 'observe');
