import { playEveryOther } from './play-seeds.ts';

playEveryOther(2, 100);
