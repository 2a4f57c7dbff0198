import { type FormEvent, useRef } from 'react';
import { bilingual, useTexts } from '../texts/texts.ts';
import type { Address } from './address.ts';
import { Button } from './button.tsx';
import { type Choice, ChoiceField, TextField } from './field.tsx';
import styles from './filters.module.css';
import { useKeys } from './keys.tsx';

const texts = bilingual({
  en: {
    search: 'Search',
    clear: 'Clear',
    any: 'Any',
    focus: 'Search',
  },
  es: {
    search: 'Buscar',
    clear: 'Limpiar',
    any: 'Cualquiera',
    focus: 'Buscar',
  },
});

export interface Filter {
  /** The field of the procedure's input, and its name in the address. */
  readonly name: string;
  readonly label: string;
  /** A choice of these; without them a text. */
  readonly choices?: readonly Choice[];
  /** What none of the choices means, if not any of them. */
  readonly empty?: string;
  readonly type?: 'text' | 'date' | 'email' | 'number';
}

interface FiltersProps {
  readonly filters: readonly Filter[];
  readonly address: Address;
  onChange(changes: Address): void;
}

/** Those of a search, as the address says them. */
export function Filters({ filters, address, onChange }: FiltersProps) {
  const t = useTexts(texts);
  const form = useRef<HTMLFormElement>(null);
  useKeys([
    {
      keys: '/',
      label: t.focus,
      run: () => form.current?.querySelector<HTMLElement>('input, select')?.focus(),
    },
  ]);
  const empty = Object.fromEntries([...filters.map(({ name }) => name), 'cursor'].map((name) => [name, '']));
  const apply = () => {
    const given = new FormData(form.current ?? undefined);
    onChange({
      ...empty,
      ...Object.fromEntries([...given].map(([name, value]) => [name, String(value).trim()])),
    });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    apply();
  };
  return (
    // Anew for each address and where choices arrive, so that the fields show what is looked for.
    <search key={filters.map(({ name, choices }) => `${address[name]}:${choices?.length}`).join('|')}>
      <form ref={form} className={styles.filters} onSubmit={onSubmit}>
        {filters.map(({ name, label, choices, empty: none, type = 'text' }) =>
          choices === undefined ? (
            <TextField key={name} label={label} name={name} type={type} defaultValue={address[name] ?? ''} />
          ) : (
            <ChoiceField
              key={name}
              label={label}
              name={name}
              choices={choices}
              empty={none ?? t.any}
              defaultValue={address[name] ?? ''}
              onChange={apply}
            />
          ),
        )}
        <div className={styles.buttons}>
          <Button type="submit" tone="primary">
            {t.search}
          </Button>
          {filters.some(({ name }) => address[name]) && (
            <Button tone="quiet" onClick={() => onChange(empty)}>
              {t.clear}
            </Button>
          )}
        </div>
      </form>
    </search>
  );
}
