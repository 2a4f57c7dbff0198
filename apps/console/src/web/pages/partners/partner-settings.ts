import type { InputOf, OperatorOutput } from '../../client/trpc.ts';
import { quotaOf } from './quota-form.ts';

type Partner = OperatorOutput<'partners.get'>;

const flags = ['legacyPkcs12', 'envelope', 'holderRenewal', 'enabled', 'clientSecretEnabled'] as const;
const lists = ['scopes', 'events', 'holderReminders'] as const;
const plain = ['name', 'email', 'passwordConfiguration', 'reviewPolicy', 'keyType'] as const;

/** What the form says of a partner. */
export function settingsOf(form: FormData) {
  const text = (name: string) => String(form.get(name)).trim();
  return {
    ...Object.fromEntries(plain.map((name) => [name, text(name)])),
    ...Object.fromEntries(flags.map((name) => [name, form.has(name)])),
    ...Object.fromEntries(lists.map((name) => [name, form.getAll(name).map(String)])),
    quota: quotaOf(form),
  } as Pick<Partner, (typeof plain)[number] | (typeof flags)[number] | (typeof lists)[number] | 'quota'>;
}

/** Only what differs: what stays is no change that a second administrator has to look at. */
export function changedSettings(partner: Partner, form: FormData): Partial<Omit<Partner, 'logo'>> {
  const given = settingsOf(form);
  const isSame = (name: keyof typeof given) =>
    JSON.stringify([given[name]].flat().sort()) === JSON.stringify([partner[name]].flat().sort());
  const names = Object.keys(given) as (keyof typeof given)[];
  return Object.fromEntries(names.filter((name) => !isSame(name)).map((name) => [name, given[name]]));
}

/** What is no safeguard: one administrator may change it in both directions. */
const changedByOne: readonly string[] = [
  'name',
  'envelope',
  'quota',
  'events',
  'holderReminders',
  'holderRenewal',
];

/** The former values of what was changed, where the same administrator may put them back. */
export function formerSettings(
  partner: Partner,
  { id, reason: _, ...changes }: InputOf<'partners.update'>,
): InputOf<'partners.update'> | undefined {
  const names = Object.keys(changes) as (keyof typeof changes)[];
  if (!names.every((name) => changedByOne.includes(name))) return undefined;
  return { id, ...Object.fromEntries(names.map((name) => [name, partner[name]])) };
}
