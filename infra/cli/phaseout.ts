#!/usr/bin/env node
import { main } from './main.ts';
import { outsideOfProcess } from '../terminal/process.ts';

process.exitCode = await main(process.argv.slice(2), outsideOfProcess());
