import { playEveryOther } from './play-seeds.ts';

playEveryOther(1, 100);
