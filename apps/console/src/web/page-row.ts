import type { ComponentType } from 'react';
import type { OperatorPath } from './client/trpc.ts';
import type { Language } from './texts/preferences.tsx';

/** One page: where it is, who may see it, and what is loaded when it is opened. */
export interface PageRow {
  /** As TanStack Router writes it: `/requests/$requestId`. */
  readonly path: string;
  /** The procedure that it stands on: whose role may not call it does not get the page. */
  readonly procedure?: OperatorPath;
  /** Its link at the side; a page that is reached from another one has none. */
  readonly link?: {
    readonly group: 'now' | 'records' | 'settings';
    readonly label: Readonly<Record<Language, string>>;
    /** Opens it after `g`. */
    readonly key: string;
  };
  /** A module whose default export is the page. */
  load(): Promise<{ readonly default: ComponentType }>;
}
