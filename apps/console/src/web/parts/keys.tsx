import { createContext, type ReactNode, use, useEffect, useMemo, useRef } from 'react';

/** One key, or a sequence of two separated by a blank, with its action. */
export interface KeyBinding {
  readonly keys: string;
  readonly label: string;
  run(): void;
}

interface Keys {
  add(binding: KeyBinding): () => void;
  /** Lists the current bindings. */
  list(): readonly KeyBinding[];
}

const KeysContext = createContext<Keys | undefined>(undefined);
const sequenceMs = 1_000;

/** Listens for keys on the whole page, except in text fields and open dialogs. */
export function KeysProvider({ children }: { readonly children: ReactNode }) {
  const bindings = useRef(new Set<KeyBinding>());
  const keys = useMemo<Keys>(
    () => ({
      add(binding) {
        bindings.current.add(binding);
        return () => bindings.current.delete(binding);
      },
      list: () => [...bindings.current],
    }),
    [],
  );
  useEffect(() => {
    let first = { key: '', at: 0 };
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || isIgnored(event)) return;
      const now = performance.now();
      const sequence = now - first.at < sequenceMs ? `${first.key} ${event.key}` : event.key;
      const newest = [...bindings.current].reverse();
      const found =
        newest.find((binding) => binding.keys === sequence) ??
        newest.find((binding) => binding.keys === event.key);
      first = { key: event.key, at: now };
      if (found === undefined) return;
      event.preventDefault();
      first = { key: '', at: 0 };
      found.run();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return <KeysContext value={keys}>{children}</KeysContext>;
}

function isIgnored({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest('input, textarea, select, [role=dialog]') !== null;
}

export function useKeyList(): () => readonly KeyBinding[] {
  const keys = use(KeysContext);
  return () => keys?.list() ?? [];
}

/** Binds keys while the component is shown. If two bind the same key, the later one wins. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const keys = use(KeysContext);
  const latest = useRef(bindings);
  latest.current = bindings;
  const names = bindings.map((binding) => `${binding.keys}:${binding.label}`).join('|');
  // biome-ignore lint/correctness/useExhaustiveDependencies: bound anew where a key or its label changes, not each render
  useEffect(() => {
    const removals = latest.current.map((binding, index) =>
      keys?.add({ ...binding, run: () => latest.current[index]?.run() }),
    );
    return () => {
      for (const remove of removals) remove?.();
    };
  }, [keys, names]);
}
