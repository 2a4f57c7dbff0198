import { type Call, call, service } from '../call.ts';
import { administratorsInput, administratorsOutput } from '../schemas/administrators.ts';

/** What the services that keep changes of administrators ask. */
export const administratorCalls = {
  'administrators.standing': call({
    kind: 'query',
    about: 'whether they may decide on a change now, asked by the service that keeps the change',
    callers: ['generation', 'terms'],
    actsFor: service,
    input: administratorsInput,
    output: administratorsOutput,
    timeoutMs: 2_000,
  }),
} as const satisfies Record<string, Call>;
