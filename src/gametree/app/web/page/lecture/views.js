// The views of a lecture, by their addresses: name -> {title, load, hidden}.

export const views = {
  tree: { title: "Tree editor", load: () => import("./editor.js") },
  explore: { title: "Search tree", load: () => import("./explore.js") },
  exercise: { title: "Exercises", load: () => import("./exercise.js") },
  classroom: { title: "Class", load: () => import("./classroom.js") },
};
