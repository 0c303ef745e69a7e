#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import { outsideOfProcess } from '../../terminal/process.ts';
import { conformance } from './conformance.ts';

// The clock's timers keep no process alive, and between two looks at a slow server nothing else does.
const alive = setInterval(() => undefined, 1_000);
const outside = { ...outsideOfProcess(), fetch, uuid: randomUUID };
process.exitCode = await conformance(process.argv.slice(2), outside);
clearInterval(alive);
