import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import {
  type OperatorInput,
  type OperatorOutput,
  type OperatorPath,
  operatorProcedures,
} from '@rubrica/contracts/operators/procedures';
import type { SealedPurpose } from '@rubrica/contracts/shared/sealed-purposes';
import type { PasswordScreen } from '@rubrica/password-screen/password-screen';
import type { Keyring } from '@rubrica/process/keyring';
import type { OperatorCaller } from '@rubrica/process/trpc';
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
    /** Access token of the operator, sealed to intake. */
    readonly token?: string | undefined;
    readonly signal: AbortSignal;
  },
) => Promise<unknown>;

/**
 * Creates the function that forwards a call to its service, for the operator, and opens what the answer has sealed to
 * the gateway.
 */
export function createForward(deps: ForwardDeps): Forward {
  const callService = createOperatorCalls(deps);
  return async (path, input, { caller, token: sealedToken = '', signal }) => {
    const call = { for: { ...caller, sealedToken }, signal };
    if (path === 'approvals.list')
      return listApprovals(callService, input as OperatorInput<typeof path>, call);
    if (path === 'auth.changePassword')
      await screenPassword(input as OperatorInput<typeof path>, caller, deps);
    const owner = caller.operatorId;
    const output = await callService(
      path,
      await sealInput(path, input, { owner, keyring: deps.keyring }),
      call,
    );
    if (path !== 'approvals.approve') return openOutput(path, output, { owner, keyring: deps.keyring });
    // An approved change returns the same result as for a single administrator.
    const { result, ...approval } = output as OperatorOutput<'approvals.approve'>;
    const procedure = approval.change.procedure as OperatorPath;
    return { ...approval, result: await openOutput(procedure, result, { owner, keyring: deps.keyring }) };
  };
}

function screenPassword(
  { newPassword }: OperatorInput<'auth.changePassword'>,
  { operatorId, email }: OperatorCaller,
  { passwords }: Pick<ForwardDeps, 'passwords'>,
): Promise<void> {
  return assertStrong(
    { owner: `operator ${operatorId}`, field: 'newPassword', password: newPassword, email },
    passwords,
  );
}

/** Seals passwords, codes and passkey responses to the service that verifies them. */
async function sealInput(
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

/** Opens values that are shown once, which are sealed for the requesting operator. */
async function openOutput(
  path: OperatorPath,
  output: unknown,
  { owner, keyring }: { owner: string; keyring: Pick<Keyring, 'openText'> },
): Promise<unknown> {
  const { opens }: OperatorProcedure = operatorProcedures[path];
  return opens === undefined
    ? output
    : openFields(output as Record<string, unknown>, { opens, owner }, keyring);
}

async function openFields(
  output: Record<string, unknown>,
  { opens, owner }: { opens: Readonly<Record<string, SealedPurpose>>; owner: string },
  keyring: Pick<Keyring, 'openText'>,
): Promise<Record<string, unknown>> {
  const opened = await Promise.all(
    Object.entries(opens).map(async ([name, purpose]) => {
      const openOne = (sealed: string) => keyring.openText(sealed, { purpose, owner });
      const sealed = output[name];
      if (Array.isArray(sealed)) return [name, await Promise.all(sealed.map(openOne))] as const;
      return [name, typeof sealed === 'string' ? await openOne(sealed) : sealed] as const;
    }),
  );
  return { ...output, ...Object.fromEntries(opened) };
}
