import { useQuery } from '@tanstack/react-query';
import { createQuery } from './queries.ts';

/**
 * Returns the name of a partner by id; the id itself until names are loaded, and for partners beyond the first hundred.
 */
export function usePartnerName(): (partnerId: string) => string {
  const { data } = useQuery({ ...createQuery('partners.list', { limit: 100 }), staleTime: 60_000 });
  const names = new Map(data?.items.map(({ id, name }) => [id, name]));
  return (partnerId) => names.get(partnerId) ?? partnerId;
}

export function usePartnerChoices(): readonly { readonly value: string; readonly label: string }[] {
  const { data } = useQuery({ ...createQuery('partners.list', { limit: 100 }), staleTime: 60_000 });
  return data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? [];
}
