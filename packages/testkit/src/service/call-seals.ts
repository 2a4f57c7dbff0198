import { readCallSubject } from '@rubrica/contracts/services/subjects';
import type { CallSeals, Keyring } from '@rubrica/process/keyring';

/** Seals of a connection that a test opens in place of a service. */
export interface TestSeals extends CallSeals {
  readonly required: boolean;
}

const isTimeless = (path: string) => path === 'clock.read';

/** Creates seals with the keys of one service, as it opens them itself. */
export function serviceSeals(
  keyring: Pick<Keyring, 'openCallSeals'>,
  { required = true, nowMs = Date.now }: { readonly required?: boolean; readonly nowMs?: () => number } = {},
): TestSeals {
  return { ...keyring.openCallSeals({ nowMs, isTimeless }), required };
}

/** Creates seals for a connection on which a test plays several services: the subject selects the keys. */
export function fakeSeals(
  keyrings: Readonly<Record<string, Pick<Keyring, 'openCallSeals'>>>,
  options?: { readonly nowMs?: () => number },
): TestSeals {
  const seals = new Map(
    Object.entries(keyrings).map(([name, keyring]) => [name, serviceSeals(keyring, options)]),
  );
  const sealsOf = (name: string | undefined) => {
    const found = seals.get(name ?? '');
    if (found === undefined) throw new Error(`nobody plays ${name}`);
    return found;
  };
  return {
    required: true,
    sealCall: (subject, content) => sealsOf(readCallSubject(subject)?.caller).sealCall(subject, content),
    openCall: (subject, bytes) => sealsOf(readCallSubject(subject)?.receiver).openCall(subject, bytes),
  };
}
