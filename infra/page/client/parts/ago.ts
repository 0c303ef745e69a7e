import { type ComponentChildren, createContext, h } from 'preact';
import { useContext } from 'preact/hooks';
import { duration } from './times.ts';

/** The time by the server's clock. It passes through parts that are still: only durations are written again. */
export const Now = createContext(0);

/** How long ago something was. */
export const Ago = ({ time }: { time: string }): ComponentChildren =>
  h('time', { dateTime: time }, duration(useContext(Now) - Date.parse(time)));
