"""Sentences of errors of `treecore.model`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "model",
    {
        "neither_model_nor_tree": "The file is neither a model nor a tree; open a .json file that this program wrote.",
        "format.model.none": (
            "The file names no format; a model has '{model}', a tree '{tree}'. Open a file that was saved as Model "
            "(JSON)."
        ),
        "format.model.unknown": (
            "The file's format is {found!r:.40}; a model has '{model}', a tree '{tree}'. Open a file that was saved "
            "as Model (JSON)."
        ),
        "format.model.project": (
            "The file's format is {found!r}; a model has '{model}', a tree '{tree}'. A project is opened on the Data "
            "page."
        ),
        "format.project.none": (
            "The file names no format; a project has '{project}'. Open a file that was saved as Project (JSON)."
        ),
        "format.project.unknown": (
            "The file's format is {found!r:.40}; a project has '{project}'. Open a file that was saved as Project "
            "(JSON)."
        ),
        "format.project.model": (
            "The file's format is {found!r}; a project has '{project}'. A model is opened on the Predict page."
        ),
        "format.project.tree": (
            "The file's format is {found!r}; a project has '{project}'. A tree is opened on the Predict page."
        ),
        "no_version": (
            "The {what} file names no version; this program reads version {expected}. Save it again with this "
            "program, or open it with the one that wrote it."
        ),
        "version": (
            "The {what} file has version {version!r:.48}; this program reads version {expected}. Save it again with "
            "this program, or open it with the one that wrote it."
        ),
        "damaged": (
            "The {what} file was changed or damaged after it was saved: its checksum does not fit. Save it again."
        ),
        "nested_too_deeply": "The file is nested too deeply to be a model.",
        "half_a_character": "A name or text holds half a character (a lone surrogate); mend it.",
        "too_large_number": "The file holds a number that is too large; only finite numbers are allowed.",
        "not_a_text": "'{name}' must be a text, not {kind}.",
        "not_texts": "'{name}' must be a list of texts.",
        "not_an_object": "'{name}' must be an object of at most {most} entries.",
        "not_plain": "'{entry}' of '{name}' must be a number, a text, null, or a list of these.",
        "too_many_columns": "The model has {n_columns} columns; at most {most} are read.",
        "image_shape": "'image_shape' must be null or [height, width].",
        "trace": "'trace' must be a list of at most {most} records.",
        "created_by": "'created_by' must hold texts.",
        "data.fingerprint": "The fingerprint of the data must be a sha256.",
        "data.equal_names": "The data have two {what} names that are equal.",
        "data.empty_name": "The data have an empty {what} name.",
        "data.image_shape": "image_shape {image_shape} does not give {n_features} features.",
        "sample.dtype": "The dtype of the sample must be one of {dtypes:comma}.",
        "sample.rows": "'X' of the sample must be a list of lists of numbers.",
        "sample.unequal_rows": "The rows of the sample must have equal lengths.",
        "sample.numbers": "'{name}' of the sample must hold numbers of {dtype} only.",
        "sample.too_large_number": "'{name}' of the sample holds a number that {dtype} has not.",
        "sample.empty": "The sample must have rows and features.",
        "sample.too_many_rows": "The sample has {n_rows} rows; at most {most}.",
        "sample.labels": "The sample needs one class (or number) for each row.",
        "sample.infinity": "The sample holds infinity.",
        "features_of_columns": "The features of the columns are not those of the tree.",
        "sample_without_names": "A sample of rows needs the names of its classes and features.",
        "features_of_data": "The features of the data are not those of the tree.",
        "target_of_data": "Classes of the data and of the tree do not fit together.",
        "classes_of_data": "The tree predicts a class that the data do not have.",
        "features_of_sample": "The sample has {n_features} features, the tree {expected}.",
        "classes_of_sample": "The sample has a class that the data do not have.",
        "project.n_trees": "A project has 1 to {most} trees, not {n_trees}.",
        "project.equal_titles": "Two trees of the project have the same title.",
        "project.opened": "The tree that was opened is missing.",
        "project.data_twice": "The project names the same data twice.",
        "project.lost_data": "The project does not say where the data of its trees come from.",
        "project.not_a_list": "'{name}' must be a list of at most {most}.",
        "project.title_is_text": "The title of a tree must be a text.",
        "project.title": "A tree of the project needs a title of at most 300 characters.",
        "project.settings": "Settings must be null or an object.",
        "project.too_many_settings": "A tree has too many settings.",
        "project.texts_of_settings": "The settings of a tree must be texts of at most 300 characters.",
        "project.data_text": "'{name}' of the data must be a text.",
        "project.recipe": "'recipe' must be null or an object.",
        "project.empty_name": "Data of the project have an empty name.",
    },
)
