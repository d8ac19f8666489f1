/**
 * A plugin of rolldown that gives the modules whose path matches `pattern` the text `code` instead of their own. The build
 * fails when there is none: what the replacement was for has moved, or is no longer imported. `hits` are the ids of the
 * replaced modules.
 */
export function replace(name, pattern, code) {
  const hits = new Set();
  return {
    name,
    hits,
    load: {
      filter: { id: pattern },
      handler(id) {
        hits.add(id);
        return { code, moduleType: 'js' };
      },
    },
    buildEnd(error) {
      if (error || hits.size > 0) return;
      throw new Error(
        `${name} replaced nothing: no module matches ${pattern}. Give it the present path, or remove it.`,
      );
    },
  };
}
