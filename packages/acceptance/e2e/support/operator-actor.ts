import {
  type OperatorInput,
  type OperatorOutput,
  type OperatorPath,
  operatorProcedures,
} from '@rubrica/contracts/operators/procedures';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import type { StackInfo } from '@rubrica/stack';

type Answer = { result?: { data: unknown }; error?: { data: { appCode: string } } };

/** Reads an answer; a refusal becomes an error with the catalogue's code as message. */
const readOutput = async (response: Response): Promise<unknown> => {
  const { result, error } = (await response.json()) as Answer;
  if (result === undefined) throw new Error(error?.data.appCode ?? `no answer: ${response.status}`);
  return result.data;
};

/** Half of the ten minutes for which an access token is valid. */
const usedForMs = 5 * MINUTE_MS;

/** Signs in one operator, who calls the operators' procedures over HTTP like a dashboard. */
export async function operatorActor({ operators, trpcUrl }: StackInfo, key: keyof StackInfo['operators']) {
  const post = (path: OperatorPath, input: object, token?: string) =>
    fetch(`${trpcUrl}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(input),
    });
  const signIn = async () => {
    const signedIn = await readOutput(await post('auth.signIn', operators[key]));
    const { accessToken } = signedIn as OperatorOutput<'auth.refresh'>;
    return { accessToken, at: performance.now() };
  };
  let session = await signIn();
  const { accessToken: token } = session;
  const currentToken = async () => {
    if (performance.now() - session.at > usedForMs) session = await signIn();
    return session.accessToken;
  };
  const get = (path: OperatorPath, input: object, bearer: string) => {
    const url = new URL(`${trpcUrl}/${path}`);
    url.searchParams.set('input', JSON.stringify(input));
    return fetch(url, { headers: { authorization: `Bearer ${bearer}` } });
  };
  return {
    email: operators[key].email,
    token,
    /**
     * Calls a procedure.
     * @throws Error whose message is the catalogue's code
     */
    async call<P extends OperatorPath>(
      path: P,
      input: Partial<OperatorInput<P>>,
    ): Promise<OperatorOutput<P>> {
      const send = operatorProcedures[path].kind === 'query' ? get : post;
      return (await readOutput(await send(path, input as object, await currentToken()))) as OperatorOutput<P>;
    },
  };
}

/**
 * Makes a change that needs two administrators: proposed by `admin`, approved by `admin2`.
 * @returns its answer
 */
export async function byTwoAdministrators<P extends OperatorPath>(
  info: StackInfo,
  path: P,
  input: Partial<OperatorInput<P>>,
): Promise<Exclude<OperatorOutput<P>, { approvalId: string }>> {
  const admin = await operatorActor(info, 'admin');
  const { approvalId } = (await admin.call(path, input)) as { readonly approvalId?: string };
  if (approvalId === undefined) throw new Error(`${path} did not wait for a second administrator`);
  const admin2 = await operatorActor(info, 'admin2');
  const { result } = await admin2.call('approvals.approve', { id: approvalId });
  return result as Exclude<OperatorOutput<P>, { approvalId: string }>;
}
