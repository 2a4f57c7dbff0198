import { type FormEvent, useRef } from 'react';
import { createBilingual, useTexts } from '../texts/texts.ts';
import type { Address } from './address.ts';
import { Button } from './button.tsx';
import { type Choice, ChoiceField, TextField } from './field.tsx';
import styles from './filters.module.css';
import { useKeys } from './keys.tsx';

const texts = createBilingual({
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
  /** Field of the procedure's input, and its name in the address. */
  readonly name: string;
  readonly label: string;
  /** Choices; a text field without them. */
  readonly choices?: readonly Choice[];
  /** Label of the empty choice; "any" by default. */
  readonly empty?: string;
  readonly type?: 'text' | 'date' | 'email' | 'number';
}

interface FiltersProps {
  readonly filters: readonly Filter[];
  readonly address: Address;
  onChange(changes: Address): void;
}

/** Renders the filters of a search with the values of the address. */
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
    const entered = new FormData(form.current ?? undefined);
    onChange({
      ...empty,
      ...Object.fromEntries([...entered].map(([name, value]) => [name, String(value).trim()])),
    });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    apply();
  };
  return (
    // Recreated for each address and when choices arrive, so that the fields show the current filters.
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
