import type { TextLanguage } from '@rubrica/contracts/error-texts/error-text';
import type { OperatorInput, OperatorPath } from '@rubrica/contracts/operators/procedures';
import type { StackInfo } from '@rubrica/stack';

/** Error object of a refused call, as a page of the console receives it. */
export interface Refusal {
  readonly message: string;
  readonly data: {
    readonly appCode: string;
    readonly details: readonly { readonly field?: string; readonly message: string }[];
  };
}

/** Creates a client of the console for one operator. It calls as the pages call, in one language unless told otherwise. */
export function createConsoleClient(
  { consoleUrl, operators }: StackInfo,
  { language }: { readonly language: TextLanguage },
) {
  let cookie = '';
  const call = async <P extends OperatorPath>(path: P, input: unknown, reader = language) => {
    const answer = await fetch(`${consoleUrl}/trpc/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'accept-language': reader,
        origin: new URL(consoleUrl).origin,
        ...(cookie && { cookie }),
      },
      body: JSON.stringify(input),
    });
    const [set] = answer.headers.getSetCookie();
    if (set !== undefined) cookie = set.split(';', 1)[0] ?? '';
    return (await answer.json()) as {
      readonly error?: Refusal;
      readonly result?: { readonly data: unknown };
    };
  };
  return {
    call,
    async refusal<P extends OperatorPath>(path: P, input: OperatorInput<P> | object): Promise<Refusal> {
      const { error } = await call(path, input);
      if (error === undefined) throw new Error(`${path} was not refused`);
      return error;
    },
    signIn: (operator: keyof StackInfo['operators']) => call('auth.signIn', operators[operator]),
  };
}
