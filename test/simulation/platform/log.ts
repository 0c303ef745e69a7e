import type { InstanceLog } from '../../../shared/runtime/log.ts';

/** Takes a line of a log: its level, its message and its fields. */
export type TakeLine = (level: string, message: string, fields: object) => void;

/** The log of an instance. Each message is logged every time: observers see all of them. */
export function simulatedLog(take: TakeLine, about: object = {}): InstanceLog {
  const at =
    (level: string) =>
    (message: string, fields: object = {}): void =>
      take(level, message, { ...about, ...fields });
  const log: InstanceLog = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => simulatedLog(take, { ...about, ...fields }),
    once: () => log,
  };
  return log;
}
