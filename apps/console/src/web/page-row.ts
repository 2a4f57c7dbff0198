import type { ComponentType } from 'react';
import type { OperatorPath } from './client/trpc.ts';
import type { Language } from './texts/preferences.tsx';

/** One page: its address, its permission, and its module. */
export interface PageRow {
  /** Path in TanStack Router's form: `/requests/$requestId`. */
  readonly path: string;
  /** Main procedure of the page; a role that may not call it does not get the page. */
  readonly procedure?: OperatorPath;
  /** Link in the side menu; undefined for a page that is reached from another. */
  readonly link?: {
    readonly group: 'now' | 'records' | 'settings';
    readonly label: Readonly<Record<Language, string>>;
    /** Key that opens it after `g`. */
    readonly key: string;
  };
  /** Loads the module whose default export is the page. */
  load(): Promise<{ readonly default: ComponentType }>;
}
