declare module '*.vue' {
  import type { Component } from 'vue';

  const component: Component;
  export default component;
}

declare module '@localSearchIndex' {
  /** Loads the index of each language. */
  const index: { root: () => Promise<unknown> };
  export default index;
}
