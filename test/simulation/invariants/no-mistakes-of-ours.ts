import { logWords } from '../story/log-lines.ts';
import type { Invariant } from './invariant.ts';

export const noErrorsLogged: Invariant = {
  name: 'what is logged as an error is a mistake of ours, and there is none',
  watch: (_world, _scenario, violated) => ({
    logged(instance, level, message, fields) {
      if (level === 'error') violated(`${instance} logs ${logWords(level, message, fields)}`);
    },
  }),
};

/** The adapter's caller forgives any error of the store, one that is ours too. */
export const storeUnderstandsUs: Invariant = {
  name: 'the store refuses nothing that we send as wrong',
  watch: (world, _scenario, violated) => ({
    ended() {
      for (const defect of world.table.defects()) violated(defect);
    },
  }),
};
