import type { Api, Target, WriteOptions } from './api.ts';
import type { Presentation } from './presentation.ts';
import { type ApiRequest, type ApiResponse, isDryRun } from './request.ts';
import { invalid, unsupported } from './status.ts';

/** One request about a resource, on its way to an answer. */
export interface Exchange {
  readonly api: Api;
  readonly target: Target;
  readonly request: ApiRequest;
  readonly shown: Presentation;
  readonly warn: (text: string) => void;
}

/** Who asks, and how they are warned. */
type Asking = Pick<Exchange, 'request' | 'warn'>;

export function askedBy({ request, warn }: Asking): Pick<WriteOptions, 'user' | 'warn'> {
  return { warn, ...(request.user && { user: request.user }) };
}

const validations = ['Ignore', 'Strict', 'Warn'];

/** How the request wants its write to be done. Throws ApiError 422 for what is not known. */
export function optionsOf({ request, warn }: Asking): WriteOptions {
  const fieldValidation = request.query?.fieldValidation;
  if (fieldValidation && !validations.includes(fieldValidation)) {
    throw invalid('meta.k8s.io', 'CreateOptions', '', [
      unsupported('fieldValidation', fieldValidation, validations),
    ]);
  }
  return {
    ...askedBy({ request, warn }),
    dryRun: isDryRun(request),
    ...(fieldValidation !== undefined && { fieldValidation }),
    ...ownerOptions(request),
  };
}

function ownerOptions({ query, headers }: ApiRequest): Pick<WriteOptions, 'manager' | 'agent' | 'force'> {
  const { fieldManager, force } = query ?? {};
  const [agent] = headers?.['user-agent']?.split('/') ?? [];
  return {
    force: force === 'true' || force === '1',
    ...(fieldManager && { manager: fieldManager }),
    ...(agent && { agent }),
  };
}

export function ok(body: string): ApiResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}
