import type {
  OperatorOutput,
  OperatorPath,
  operatorProcedures,
} from '@rubrica/contracts/operators/procedures';
import type { OperatorRouter } from '@rubrica/gateway/routers';
import { createTRPCUntypedClient, httpBatchLink, httpLink, splitLink, TRPCClientError } from '@trpc/client';
import type { z } from 'zod';
import { procedures } from '../data/contracts.data.ts';

export type { OperatorOutput, OperatorPath } from '@rubrica/contracts/operators/procedures';
/** Input as sent: fields with a default are optional. */
export type ProcedureInput<P extends OperatorPath> = z.input<(typeof operatorProcedures)[P]['input']>;

const url = '/trpc';
/** Returns the language of the operator's preferences, in which the gateway renders its texts. */
function currentLanguage(): string {
  return document.documentElement.lang;
}

/** Reports failures only in the body, because browsers log each status above 399. */
const headers = () => ({ 'x-errors': 'in-body', 'accept-language': currentLanguage() });

const client = createTRPCUntypedClient<OperatorRouter>({
  links: [
    splitLink({
      condition: ({ type }) => type === 'query',
      true: httpBatchLink({ url, headers, maxURLLength: 4_000 }),
      false: httpLink({ url, headers }),
    }),
  ],
});

/**
 * Calls a procedure by its name.
 * @throws Failure
 */
export async function callProcedure<P extends OperatorPath>(
  path: P,
  input: ProcedureInput<P>,
  signal?: AbortSignal,
): Promise<OperatorOutput<P>> {
  const options = signal === undefined ? {} : { signal };
  const language = currentLanguage();
  try {
    const answer =
      procedures[path].kind === 'query'
        ? await client.query(path, input, options)
        : await client.mutation(path, input, options);
    return answer as OperatorOutput<P>;
  } catch (error) {
    throw toFailure(error, language);
  }
}

/** Failed call: `code` is one of the error catalogue, or `UNREACHABLE`. */
export class Failure extends Error {
  readonly code: string;
  readonly details: readonly FailureDetail[];
  /** Language of message and details. */
  readonly language: string;

  constructor(
    code: string,
    message: string,
    {
      details = [],
      language = '',
    }: { readonly details?: readonly FailureDetail[]; readonly language?: string } = {},
  ) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.details = details;
    this.language = language;
  }
}

interface FailureDetail {
  readonly field?: string;
  readonly message?: string;
}

function toFailure(error: unknown, language: string): Failure {
  if (!(error instanceof TRPCClientError)) return new Failure('UNREACHABLE', String(error));
  const data = error.data as { appCode?: string; details?: readonly FailureDetail[] } | null | undefined;
  return new Failure(data?.appCode ?? 'UNREACHABLE', error.message, {
    details: data?.details ?? [],
    language,
  });
}
