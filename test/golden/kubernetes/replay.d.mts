import type { ApiRequest } from '../../../infra/local/kubernetes/server/request.ts';

export interface Transcript {
  readonly name: string;
  readonly requires?: readonly string[];
  readonly steps: readonly unknown[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Watching extends Answer {
  next(milliseconds: number): Promise<unknown>;
  close(): void;
}

export interface Transport {
  request(request: ApiRequest): Promise<Answer>;
  watch(request: ApiRequest): Promise<Watching>;
}

export interface ReplayOptions {
  readonly transport: Transport;
  readonly tokens: Readonly<Record<string, string>>;
  readonly run: string;
  readonly level?: 'status' | 'reason' | 'full';
  readonly have?: ReadonlySet<string>;
  readonly actions?: Readonly<Record<string, () => void | Promise<void>>>;
  readonly sleep?: (milliseconds: number) => Promise<void>;
  readonly ignore?: readonly string[];
  readonly rvOrder?: boolean;
  readonly times?: boolean;
}

export interface StepReport {
  readonly i: number;
  readonly what?: string;
  readonly note?: string;
  readonly ok: boolean;
  readonly skipped?: string;
  readonly diffs: readonly string[];
}

export interface Report {
  readonly name: string;
  readonly skipped?: string;
  readonly passed: number;
  readonly failed: number;
  readonly steps: readonly StepReport[];
}

export function replay(transcript: Transcript, options: ReplayOptions): Promise<Report>;
export function httpTransport(base: string): Transport;
