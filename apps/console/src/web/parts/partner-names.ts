import { useQuery } from '@tanstack/react-query';
import { createQuery } from '../client/queries.ts';
import type { Choice } from './field.tsx';

/** Returns partners by name for lists and filters, which show no ids. */
export function usePartnerNames() {
  const { data } = useQuery({ ...createQuery('partners.list', { limit: 100 }), staleTime: 60_000 });
  const partners = data?.items ?? [];
  const choices: readonly Choice[] = partners.map(({ id, name }) => ({ value: id, label: name }));
  return {
    choices,
    nameOf: (id: string) => partners.find((partner) => partner.id === id)?.name ?? id.slice(-12),
  };
}
