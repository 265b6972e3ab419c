import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import Landing from './Landing.vue';
import NotFound from './NotFound.vue';
import RunHere from './RunHere.vue';
import SearchStatus from './SearchStatus.vue';
import './style.css';

function unfold(): void {
  if (typeof document === 'undefined') return;
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const type = target?.closest('section.type')?.querySelector('details');
  if (!type || type.open) return;
  type.open = true;
  target?.scrollIntoView();
}

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, { 'not-found': () => h(NotFound), 'layout-bottom': () => h(SearchStatus) }),
  enhanceApp: ({ app, router }) => {
    app.component('Landing', Landing);
    app.component('RunHere', RunHere);
    // A link to a type of the reference, or to a part of it, opens the type.
    if (typeof window !== 'undefined') window.addEventListener('hashchange', unfold);
    router.onAfterRouteChange = unfold;
  },
} satisfies Theme;
