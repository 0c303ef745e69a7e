#!/usr/bin/env node
import { keepCompiled } from '../terminal/compile-cache.ts';
import { outsideOfProcess } from '../terminal/process.ts';
import { main } from './main.ts';

keepCompiled(process.env);
process.exitCode = await main(process.argv.slice(2), { ...outsideOfProcess(), isPlugin: true });
