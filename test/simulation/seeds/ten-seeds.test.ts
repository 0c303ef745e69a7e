import { playEveryOther } from './play-seeds.ts';

// The thorough tests play the seeds from 1 on.
playEveryOther(1_001, 10);
