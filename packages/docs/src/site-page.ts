import type { Html } from '@rubrica/html';

/** Content of a page, without its frame. */
export interface SitePage {
  readonly title: string;
  /** Markdown text. */
  readonly description: string;
  readonly main: Html;
}
