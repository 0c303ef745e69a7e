#!/usr/bin/env node
import { outsideOfProcess } from '../terminal/process.ts';
import { main } from './main.ts';

process.exitCode = await main(process.argv.slice(2), { ...outsideOfProcess(), isPlugin: true });
