import numpy as np

import colligate as cg


def test_the_leaves_of_the_hierarchy_are_the_groups_also_when_stored(method, worded, tmp_path):
    result = cg.make(method, n_clusters=4, random_state=0, n_init=1).fit(worded).result_
    tree = result.hierarchy()
    flat = tree.cut(4)
    np.testing.assert_array_equal(flat.labels, result.labels["documents"])
    assert flat.names == result.group_names
    two = tree.cut(2)
    for group in range(4):
        assert len(np.unique(two.labels[result.labels["documents"] == group])) <= 1
    assert len({node.name for node in tree.nodes}) == 7
    assert all(np.isfinite(node.distance) for node in tree.nodes)
    result.save(tmp_path / "run")
    assert str(cg.Result.load(tmp_path / "run").hierarchy()) == str(tree)
