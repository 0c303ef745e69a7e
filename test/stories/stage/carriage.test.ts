import { describe } from 'vitest';
import { keepsItsPromises } from '../../contracts/kubernetes/in-process.ts';
import { carrying } from './carriage.ts';

describe('the Kubernetes port, in process', () => {
  keepsItsPromises((server) => carrying({ serverAt: () => server }));
});
