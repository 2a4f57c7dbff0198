/** Number of items per owner; an owner without any is removed. */
export interface OwnerCounts {
  readonly owners: ReadonlySet<string>;
  of(owner: string): number;
  add(owner: string): void;
  remove(owner: string): void;
}

export function createOwnerCounts(): OwnerCounts {
  const counts = new Map<string, number>();
  const of = (owner: string) => counts.get(owner) ?? 0;
  return {
    get owners() {
      return new Set(counts.keys());
    },
    of,
    add: (owner) => void counts.set(owner, of(owner) + 1),
    remove(owner) {
      const left = of(owner) - 1;
      if (left > 0) counts.set(owner, left);
      else counts.delete(owner);
    },
  };
}
