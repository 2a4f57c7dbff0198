import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import {
  type OperatorInput,
  type OperatorOutput,
  type OperatorPath,
  operatorProcedures,
} from '@rubrica/contracts/operators/procedures';
import type { SealedPurpose } from '@rubrica/contracts/shared/sealed-purposes';
import type { PasswordScreen } from '@rubrica/password-screen/password-screen';
import type { Keyring, OperatorCaller } from '@rubrica/process';
import { createOperatorCalls, type OperatorCallsOptions } from '@rubrica/wiring';
import { listApprovals } from './list-approvals.ts';
import { assertStrong } from './screen-password.ts';

export interface ForwardDeps extends OperatorCallsOptions {
  readonly keyring: Pick<Keyring, 'openText' | 'sealTo'>;
  readonly passwords: Pick<PasswordScreen, 'weaknessOf'>;
}

export type Forward = (
  path: OperatorPath,
  input: unknown,
  call: {
    readonly caller: OperatorCaller;
    /** The operator's access token, sealed to intake. */
    readonly token?: string | undefined;
    readonly signal: AbortSignal;
  },
) => Promise<unknown>;

/** Hands a call on to the service that answers it, in the operator's name, and opens what came back sealed to us. */
export function createForward(deps: ForwardDeps): Forward {
  const ask = createOperatorCalls(deps);
  return async (path, input, { caller, token: sealedToken = '', signal }) => {
    const call = { for: { ...caller, sealedToken }, signal };
    if (path === 'approvals.list') return listApprovals(ask, input as OperatorInput<typeof path>, call);
    if (path === 'auth.changePassword') await screen(input as OperatorInput<typeof path>, caller, deps);
    const owner = caller.operatorId;
    const output = await ask(path, await sealedFor(path, input, { owner, keyring: deps.keyring }), call);
    if (path !== 'approvals.approve') return openedAs(path, output, { owner, keyring: deps.keyring });
    // The change that was approved answers here what it would have answered to one administrator alone.
    const { result, ...approval } = output as OperatorOutput<'approvals.approve'>;
    const procedure = approval.change.procedure as OperatorPath;
    return { ...approval, result: await openedAs(procedure, result, { owner, keyring: deps.keyring }) };
  };
}

function screen(
  { newPassword }: OperatorInput<'auth.changePassword'>,
  { operatorId, email }: OperatorCaller,
  { passwords }: Pick<ForwardDeps, 'passwords'>,
): Promise<void> {
  return assertStrong(
    { owner: `operator ${operatorId}`, field: 'newPassword', password: newPassword, email },
    passwords,
  );
}

/** Passwords, codes and what passkeys sign cross the bus sealed to the service that judges them. */
async function sealedFor(
  path: OperatorPath,
  input: unknown,
  { owner, keyring }: { owner: string; keyring: Pick<Keyring, 'sealTo'> },
): Promise<unknown> {
  const { seals, service }: OperatorProcedure = operatorProcedures[path];
  if (seals === undefined) return input;
  const fields = Object.entries(input as Record<string, unknown>).map(async ([name, value]) => {
    const purpose = seals[name];
    if (purpose === undefined || value === undefined) return [name, value] as const;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [name, await keyring.sealTo(service, text, { purpose, owner })] as const;
  });
  return Object.fromEntries(await Promise.all(fields));
}

/** What is shown once is sealed for the operator who asked. */
async function openedAs(
  path: OperatorPath,
  output: unknown,
  { owner, keyring }: { owner: string; keyring: Pick<Keyring, 'openText'> },
): Promise<unknown> {
  const { opens }: OperatorProcedure = operatorProcedures[path];
  return opens === undefined ? output : open(output as Record<string, unknown>, { opens, owner }, keyring);
}

async function open(
  output: Record<string, unknown>,
  { opens, owner }: { opens: Readonly<Record<string, SealedPurpose>>; owner: string },
  keyring: Pick<Keyring, 'openText'>,
): Promise<Record<string, unknown>> {
  const opened = await Promise.all(
    Object.entries(opens).map(async ([name, purpose]) => {
      const one = (sealed: string) => keyring.openText(sealed, { purpose, owner });
      const sealed = output[name];
      if (Array.isArray(sealed)) return [name, await Promise.all(sealed.map(one))] as const;
      return [name, typeof sealed === 'string' ? await one(sealed) : sealed] as const;
    }),
  );
  return { ...output, ...Object.fromEntries(opened) };
}
