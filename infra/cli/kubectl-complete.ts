#!/usr/bin/env node
import { commands } from './commands.ts';
import { answered } from './completion/command.ts';

// kubectl asks a program of this name what may follow `kubectl phaseout`.
process.stdout.write(answered(process.argv.slice(2), commands));
