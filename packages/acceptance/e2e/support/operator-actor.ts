import {
  type OperatorInput,
  type OperatorOutput,
  type OperatorPath,
  operatorProcedures,
} from '@rubrica/contracts/operators/procedures';
import type { StackInfo } from '@rubrica/stack';

type Answer = { result?: { data: unknown }; error?: { data: { appCode: string } } };

/** A refusal with the catalogue's code for its message. */
const outputOf = async (response: Response): Promise<unknown> => {
  const { result, error } = (await response.json()) as Answer;
  if (result === undefined) throw new Error(error?.data.appCode ?? `no answer: ${response.status}`);
  return result.data;
};

/** One operator, signed in: calls the operators' procedures over HTTP as a dashboard would. */
export async function operatorActor({ operators, trpcUrl }: StackInfo, key: keyof StackInfo['operators']) {
  const post = (path: OperatorPath, input: object, token?: string) =>
    fetch(`${trpcUrl}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(input),
    });
  const signedIn = await outputOf(await post('auth.signIn', operators[key]));
  const { accessToken: token } = signedIn as OperatorOutput<'auth.signIn'>;
  const get = (path: OperatorPath, input: object) => {
    const url = new URL(`${trpcUrl}/${path}`);
    url.searchParams.set('input', JSON.stringify(input));
    return fetch(url, { headers: { authorization: `Bearer ${token}` } });
  };
  return {
    email: operators[key].email,
    token,
    /** @throws Error whose message is the catalogue's code */
    async call<P extends OperatorPath>(
      path: P,
      input: Partial<OperatorInput<P>>,
    ): Promise<OperatorOutput<P>> {
      const send = operatorProcedures[path].kind === 'query' ? get : post;
      return (await outputOf(await send(path, input as object, token))) as OperatorOutput<P>;
    },
  };
}
