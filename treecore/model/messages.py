"""Error messages of `treecore.model`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "model",
    {
        "neither_model_nor_tree": "The file is not a model or a tree. Open a .json file saved by this program.",
        "format.model.none": (
            "The file has no format (expected '{model}' or '{tree}'). Open a file that was saved as Model (JSON)."
        ),
        "format.model.unknown": (
            "Unsupported file format {found!r:.40} (expected '{model}' or '{tree}'). Open a file that was"
            " saved as Model (JSON)."
        ),
        "format.model.project": (
            "Unsupported file format {found!r} (expected '{model}' or '{tree}'). Open projects on the Data page."
        ),
        "format.project.none": (
            "The file has no format (expected '{project}'). Open a file that was saved as Project (JSON)."
        ),
        "format.project.unknown": (
            "Unsupported file format {found!r:.40} (expected '{project}'). Open a file that was saved as "
            "Project (JSON)."
        ),
        "format.project.model": (
            "The file is a model (format {found!r}), not a project ('{project}'). Open models on the Predict page."
        ),
        "format.project.tree": (
            "The file is a tree (format {found!r}), not a project ('{project}'). Open trees on the Predict page."
        ),
        "no_version": (
            "The {what} file has no version (supported: {expected}). Save it again with this program, or "
            "open it with the program that wrote it."
        ),
        "version": (
            "Unsupported version {version!r:.48} of the {what} file (supported: {expected}). Save it "
            "again with this program, or open it with the program that wrote it."
        ),
        "damaged": (
            "The {what} file was changed or damaged after it was saved (its checksum does not match). Save it again."
        ),
        "nested_too_deeply": "The file is nested too deeply for a model.",
        "half_a_character": "A name or text contains an incomplete character (a lone surrogate). Remove it.",
        "too_large_number": "The file contains a number that is too large. Use finite numbers.",
        "not_a_text": "'{name}' must be a string, not {kind}.",
        "not_texts": "'{name}' must be a list of strings.",
        "not_an_object": "'{name}' must be an object with at most {most} entries.",
        "not_plain": "'{entry}' of '{name}' must be a number, a string, null or a list of these.",
        "too_many_columns": "The model has {n_columns} columns (maximum {most}).",
        "image_shape": "'image_shape' must be null or [height, width].",
        "trace": "'trace' must be a list of at most {most} records.",
        "created_by": "'created_by' must contain strings.",
        "data.fingerprint": "The fingerprint of the data must be a SHA-256 hash.",
        "data.equal_names": "Two {what} names of the data are equal. Use different names.",
        "data.empty_name": "A {what} name of the data is empty. Name it.",
        "data.image_shape": "image_shape={image_shape}: expected height × width = {n_features} features.",
        "sample.dtype": "Unsupported dtype in the sample. Supported: {dtypes:comma}.",
        "sample.rows": "'X' of the sample must be a list of lists of numbers.",
        "sample.unequal_rows": "The rows of the sample must have equal lengths.",
        "sample.numbers": "'{name}' of the sample must contain numbers of type {dtype}.",
        "sample.too_large_number": "'{name}' of the sample contains a number outside the range of {dtype}.",
        "sample.empty": "The sample is empty. It must have at least one row and one feature.",
        "sample.too_many_rows": "The sample has {n_rows} rows (maximum {most}).",
        "sample.labels": "The sample must have one class or number for each row.",
        "sample.infinity": "The sample contains infinite values.",
        "features_of_columns": "The columns do not match the features of the tree.",
        "sample_without_names": "The sample has no names of classes and features. Add them.",
        "features_of_data": "The features of the data do not match the features of the tree.",
        "target_of_data": "The classes of the data do not match the classes of the tree.",
        "classes_of_data": "The tree predicts a class that the data do not contain.",
        "features_of_sample": "The sample has {n_features} features, but the tree has {expected}.",
        "classes_of_sample": "The sample contains a class that the data do not contain.",
        "project.n_trees": "The project has {n_trees} trees (expected 1 to {most}).",
        "project.equal_titles": "Two trees of the project have the same title. Rename one.",
        "project.opened": "The project does not contain the tree that was open.",
        "project.data_twice": "The project lists the same data twice.",
        "project.lost_data": "The project does not contain the source of its data.",
        "project.not_a_list": "'{name}' must be a list of at most {most} entries.",
        "project.title_is_text": "The title of a tree must be a string.",
        "project.title": "The title of a tree must have 1 to 300 characters.",
        "project.settings": "The settings of a tree must be null or an object.",
        "project.too_many_settings": "A tree of the project has too many settings.",
        "project.texts_of_settings": "The settings of a tree must be strings of at most 300 characters.",
        "project.data_text": "'{name}' of the data must be a string.",
        "project.recipe": "'recipe' must be null or an object.",
        "project.empty_name": "A data set of the project has an empty name.",
    },
)
