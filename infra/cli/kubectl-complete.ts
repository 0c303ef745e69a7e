#!/usr/bin/env node
import { keepCompiled } from '../terminal/compile-cache.ts';
import { outsideOfProcess } from '../terminal/process.ts';
import { commands } from './commands.ts';
import { answered } from './completion/command.ts';

keepCompiled(process.env);
// kubectl asks a program of this name what may follow `kubectl phaseout`.
process.stdout.write(await answered(process.argv.slice(2), commands, outsideOfProcess()));
